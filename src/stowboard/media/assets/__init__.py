"""Images and files. Routes call verbs (`inline`, `presigned`, `keep`, `remove` …), verbs the stores; `processing` turns
bytes that arrived into bytes that are served.
"""
