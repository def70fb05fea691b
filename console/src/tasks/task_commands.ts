/** The commands on tasks, by key or palette. */
import type { Task } from '../api/tasks'
import { useCommands } from '../shell/commands/commands.svelte'
import { go } from '../shell/router.svelte'
import { panelCommands, selectionCommands } from '../shell/lists/list_commands'
import type { Selection } from '../shell/lists/selection.svelte'
import type { TaskList } from './task_list.svelte'
import { VIEWS } from './views'

interface Actions {
  list: () => TaskList
  selection: Selection
  openId: () => string | null
  focused: () => string | null
  targets: () => Task[]
  add: () => void
  open: (id: string) => void
  close: () => void
  step: (by: number) => void
  tag: () => void
  move: () => void
}

export function useTaskCommands({
  list,
  selection,
  openId,
  focused,
  targets,
  add,
  open,
  close,
  step,
  tag,
  move,
}: Actions): void {
  const group = 'Tasks'
  const some = () => targets().length > 0
  const done = (act: Promise<boolean>) => void act.then(() => selection.clear())

  useCommands([
    { id: 'tasks.new', name: 'New task', group, keys: 'n', run: add },
    ...panelCommands('tasks', group, { focused, openId, open, close }),
    ...selectionCommands('tasks', group, { selection, target: focused, openId }),
    { id: 'tasks.next', name: 'Next task', group, keys: ['j', 'ArrowDown'], hidden: true, run: () => step(1) },
    { id: 'tasks.previous', name: 'Previous task', group, keys: ['k', 'ArrowUp'], hidden: true, run: () => step(-1) },
    {
      id: 'tasks.complete',
      name: 'Complete',
      group,
      keys: 'e',
      when: some,
      run: () => done(list().complete(targets())),
    },
    { id: 'tasks.tag', name: 'Tag', group, keys: 't', when: some, run: tag },
    { id: 'tasks.move', name: 'Move to a board', group, keys: 'm', when: some, run: move },
    {
      id: 'tasks.archive',
      name: 'Archive',
      group,
      keys: 'a',
      when: () => targets().some((task) => !task.archived),
      run: () => done(list().archive(targets())),
    },
    {
      id: 'tasks.restore',
      name: 'Restore',
      group,
      keys: 'r',
      when: () => targets().some((task) => task.archived),
      run: () => done(list().restore(targets())),
    },
    ...VIEWS.map(([view, name], index) => ({
      id: `tasks.view-${view}`,
      name: `Tasks: ${name}`,
      group: 'Go to',
      keys: String(index + 1),
      run: () => go(`/tasks?view=${view}`),
    })),
  ])
}
