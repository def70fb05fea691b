"""The types that count as an image, each with the extensions of its files; the usual extension comes first.

This is the only such list: uploads, delivery and `GET /media/cdn` take it from here, and clients ask for it there.
"""

IMAGE_TYPES: dict[str, tuple[str, ...]] = {
    "image/jpeg": (".jpg", ".jpeg", ".jpe", ".jfif"),
    "image/png": (".png", ".apng"),
    "image/gif": (".gif",),
    "image/webp": (".webp",),
    "image/avif": (".avif", ".avifs"),
    "image/heic": (".heic", ".heif"),
    "image/heif": (".heif", ".heic"),
    "image/tiff": (".tif", ".tiff"),
}
#: `.heif` is usual for `image/heif`, although files of `image/heic` may have it too.
TYPE_OF_EXTENSION: dict[str, str] = {
    **{extension: name for name, extensions in IMAGE_TYPES.items() for extension in extensions},
    **{usual: name for name, (usual, *_) in IMAGE_TYPES.items()},
}
