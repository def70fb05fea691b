"""Where bytes of strangers are decoded: `decoder` is the program, `child` one of its processes as we see it, `messages`
what they say to each other."""
