/** How often a task comes again: the usual ways by name, any other as its rule (RFC 5545). */
export const REPEATS: [rule: string, name: string][] = [
  ['', 'Never'],
  ['FREQ=DAILY', 'Every day'],
  ['FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR', 'Every weekday'],
  ['FREQ=WEEKLY', 'Every week'],
  ['FREQ=WEEKLY;INTERVAL=2', 'Every two weeks'],
  ['FREQ=MONTHLY', 'Every month'],
  ['FREQ=YEARLY', 'Every year'],
]

export function isUsual(rule: string | null): boolean {
  return REPEATS.some(([each]) => each === (rule ?? ''))
}
