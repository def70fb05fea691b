/** The commands of a board, by key or palette. */
import { go, withQuery } from '../shell/router.svelte'
import { useCommands } from '../shell/commands/commands.svelte'
import { panelCommands } from '../shell/lists/list_commands'
import type { Direction } from './arrange'

interface Actions {
  mayEdit: () => boolean
  focused: () => string | null
  openId: () => string | null
  step: (direction: Direction) => void
  shift: (direction: Direction) => void
  close: () => void
  complete: (id: string) => void
  archive: (id: string) => void
  menu: (id: string) => void
  add: () => void
}

const DIRECTIONS: [Direction, string, string][] = [
  ['up', 'ArrowUp', 'k'],
  ['down', 'ArrowDown', 'j'],
  ['left', 'ArrowLeft', 'h'],
  ['right', 'ArrowRight', 'l'],
]

export function useBoardCommands({
  mayEdit,
  focused,
  openId,
  step,
  shift,
  close,
  complete,
  archive,
  menu,
  add,
}: Actions): void {
  const group = 'Board'
  const target = () => focused() ?? openId()
  const some = () => mayEdit() && target() !== null

  useCommands([
    { id: 'board.new', name: 'New task', group, keys: 'n', when: mayEdit, run: add },
    ...panelCommands('board', group, { focused, openId, close, open: (id) => go(withQuery({ task: id })) }),
    { id: 'board.menu', name: 'Move menu', group, keys: 'm', when: some, run: () => menu(target()!) },
    { id: 'board.complete', name: 'Complete', group, keys: 'e', when: some, run: () => complete(target()!) },
    { id: 'board.archive', name: 'Archive', group, keys: 'a', when: some, run: () => archive(target()!) },
    ...DIRECTIONS.map(([direction, arrow, letter]) => ({
      id: `board.go-${direction}`,
      name: `Card ${direction}`,
      group,
      keys: [arrow, letter],
      hidden: true,
      run: () => step(direction),
    })),
    ...DIRECTIONS.map(([direction, arrow]) => ({
      id: `board.move-${direction}`,
      name: `Move ${direction}`,
      group,
      keys: `Alt+${arrow}`,
      when: () => mayEdit() && focused() !== null,
      run: () => shift(direction),
    })),
  ])
}
