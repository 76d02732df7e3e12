const DAY_MS = 86_400_000

/** The expiry of a new key: a number of days, a date, or never. */
export const EXPIRY_CHOICES = [
  { value: 'never', label: 'Never' },
  { value: '7', label: 'In 7 days' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In one year' },
  { value: 'date', label: 'On a date …' },
]

export const isExpiryChoice = (text: string | undefined): text is string =>
  EXPIRY_CHOICES.some(({ value }) => value === text)

/** A date means the end of that day in the time zone of the browser. */
export function expiryOf(choice: string, date: string): string | null {
  if (choice === 'never') return null
  if (choice === 'date') return new Date(`${date}T23:59:59`).toISOString()
  return new Date(Date.now() + Number(choice) * DAY_MS).toISOString()
}

/** Tomorrow. */
export const firstExpiryDay = () => new Date(Date.now() + DAY_MS).toISOString().slice(0, 10)
