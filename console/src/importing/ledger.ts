/** The ledger of an import: what became of each task, comment, file and assignee. `stow import --ledger` writes the same. */
export type Outcome = 'made' | 'present' | 'refused'

export interface LedgerLine {
  /** The id in the program that it comes from. */
  source: string
  kind: string
  outcome: Outcome
  reason?: string
}

export class ImportLedger {
  lines: LedgerLine[] = []

  add(source: string, kind: string, outcome: Outcome, reason?: string): void {
    this.lines.push({ source, kind, outcome, reason })
  }

  /** One JSON object a line. */
  text(): string {
    return this.lines.map((line) => `${JSON.stringify(line)}\n`).join('')
  }
}
