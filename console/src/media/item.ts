/** What a tile and a row of the library are given. */
import type { Entry } from '../api/media'

export interface ItemProps {
  entry: Entry
  selected: boolean
  /** True while some are selected. */
  selecting: boolean
  open: boolean
  tabbable: boolean
  onchoose: (event: MouseEvent) => void
  onselect: (event: MouseEvent) => void
}
