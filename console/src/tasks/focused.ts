/** The task whose link has the focus (`data-task`). While a dialog has it, the task that had it before. */
let last: string | null = null

export function focusedTask(): string | null {
  const active = document.activeElement as HTMLElement | null
  if (active?.dataset.task) last = active.dataset.task
  else if (!active?.closest('dialog')) last = null
  return last
}
