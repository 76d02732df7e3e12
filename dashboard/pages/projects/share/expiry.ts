const DAY_MS = 86_400_000

/** When a link ends: a number of days from now, a day of the calendar, never, or as it was. */
export interface Expiry {
  choice: 'keep' | 'never' | '1' | '7' | '30' | 'date'
  /** As a date field has it, `2027-01-31`. */
  date: string
}

/** What the API is told; undefined leaves it as it was. A day counts to its end where the person is. */
export function expiresAtOf({ choice, date }: Expiry): string | null | undefined {
  if (choice === 'keep') return undefined
  if (choice === 'never') return null
  if (choice === 'date') return new Date(`${date}T23:59:59`).toISOString()
  return new Date(Date.now() + Number(choice) * DAY_MS).toISOString()
}

/** Today, as a date field has it: the first day that can be chosen. */
export function today(): string {
  const now = new Date()
  const two = (value: number) => String(value).padStart(2, '0')
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`
}
