"""Number of pages of a PDF, and a picture of the first.

PDFium (`pypdfium2`) draws it, without scripts and forms. The number of pixels is bounded, however large a page says it
is. Only decoders import this.
"""

from pathlib import Path
from typing import Any, BinaryIO

import pypdfium2  # type: ignore[import-untyped]

from stowboard.media.base.errors import InvalidMedia
from stowboard.media.images.libvips import Image, vips

_LONGEST_SIDE = 1600
#: The most pixels for a point (a 72nd of an inch), so that a small page is not blown up.
_MOST_DETAILED = 2.0
_BANDS = 4
_LOCKED = (4, 5)

_DOWNLOAD = "It can be downloaded as it is."
_PASSWORD = f"The PDF is locked by a password, so its pages cannot be shown. {_DOWNLOAD}"
_DAMAGED = f"The PDF is damaged or not whole, so its pages cannot be shown. {_DOWNLOAD}"

#: Its own types are those of C.
_pdfium: Any = pypdfium2


def first_page(path: Path) -> tuple[int, Image]:
    """The number of pages, and a picture of the first. Raises InvalidMedia."""
    with path.open("rb") as file:  # given a path, PDFium would look for the name of the file, and a descriptor has none
        document = _opened(file)
        try:
            return len(document), _drawn(document[0])
        except _pdfium.PdfiumError as error:
            raise InvalidMedia(_DAMAGED) from error


def _opened(file: BinaryIO) -> Any:
    # Some failures set no error code; PDFium then reports the code of an earlier file. This call sets it to "damaged".
    _pdfium.raw.FPDF_LoadMemDocument(b"", 0, None)
    try:
        return _pdfium.PdfDocument(file)
    except _pdfium.PdfiumError as error:
        raise InvalidMedia(_PASSWORD if error.err_code in _LOCKED else _DAMAGED) from error


def _drawn(page: Any) -> Image:
    scale = min(_MOST_DETAILED, _LONGEST_SIDE / max(1.0, *page.get_size()))
    bitmap = page.render(scale=scale, rev_byteorder=True, prefer_bgrx=True, may_draw_forms=False)
    borrowed = vips.Image.new_from_memory(bytes(bitmap.buffer), bitmap.width, bitmap.height, _BANDS, "uchar")
    # A copy in memory of its own; the fourth byte of each pixel means nothing.
    return borrowed.extract_band(0, n=3).copy(interpretation="srgb").copy_memory()
