const DAY_MS = 86_400_000

/** When a link expires: in a number of days, after a calendar date, never, or unchanged. */
export interface Expiry {
  choice: 'keep' | 'never' | '1' | '7' | '30' | 'date'
  /** The value of a date input, `2027-01-31`. */
  date: string
}

/** The `expiresAt` to send; undefined leaves it unchanged. A date expires at its end in the local time zone. */
export function expiresAtOf({ choice, date }: Expiry): string | null | undefined {
  if (choice === 'keep') return undefined
  if (choice === 'never') return null
  if (choice === 'date') return new Date(`${date}T23:59:59`).toISOString()
  return new Date(Date.now() + Number(choice) * DAY_MS).toISOString()
}

/** Today as the value of a date input: the earliest date that can be selected. */
export function today(): string {
  const now = new Date()
  const twoDigits = (value: number) => String(value).padStart(2, '0')
  return `${now.getFullYear()}-${twoDigits(now.getMonth() + 1)}-${twoDigits(now.getDate())}`
}
