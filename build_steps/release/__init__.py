"""`make release`: every artefact of a release, in dist/."""
