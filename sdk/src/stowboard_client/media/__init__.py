"""Images, files and videos: uploading, listing, changing and linking to them."""
