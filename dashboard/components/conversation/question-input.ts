import type { Approval } from '../../api/approvals.ts'

export function choicesIn(input: unknown): string[] {
  const { choices } = Object(input) as { choices?: unknown }
  return Array.isArray(choices) ? choices.filter((choice) => typeof choice === 'string') : []
}

/** Without the choices, which the summary repeats. */
export function questionIn({ input, summary }: Pick<Approval, 'input' | 'summary'>): string {
  const { question } = Object(input) as { question?: unknown }
  return typeof question === 'string' ? question : summary
}
