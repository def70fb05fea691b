"""The TUS protocol, version 1.0.0: uploads that go on where they were interrupted."""
