export interface Check {
  name: string
  state: 'ok' | 'warning' | 'failed'
  text: string
}

export const ok = (name: string, text: string): Check => ({ name, state: 'ok', text })
export const warning = (name: string, text: string): Check => ({ name, state: 'warning', text })
export const failed = (name: string, text: string): Check => ({ name, state: 'failed', text })

/** A check that can't run has failed. */
export const orFailed = (name: string, check: Promise<Check[]>, explain: (error: unknown) => string) =>
  check.catch((error: unknown) => [failed(name, explain(error))])

/** For example `2 failed, 1 warning`. */
export function summarize(checks: Check[]): string {
  const count = (state: Check['state']) => checks.filter((check) => check.state === state).length
  const [failures, warnings] = [count('failed'), count('warning')]
  return `${failures} failed, ${warnings} ${warnings === 1 ? 'warning' : 'warnings'}`
}
