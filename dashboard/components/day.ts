const withoutYear = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', timeZone: 'UTC' })
const withYear = new Intl.DateTimeFormat('en', {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  timeZone: 'UTC',
})

/** A day of the server's figures, which count days in UTC: `Nov 15`, with the year if it is another one. */
export function formatDay(date: string): string {
  const day = new Date(`${date}T00:00:00Z`)
  return (day.getUTCFullYear() === new Date().getUTCFullYear() ? withoutYear : withYear).format(day)
}
