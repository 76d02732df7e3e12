export type Meaning = 'good' | 'warning' | 'bad' | 'info' | 'accent' | 'neutral'

/** Color alone isn't accessible. */
export function Status({ meaning, children }: { meaning: Meaning; children: string }) {
  return (
    <span className="inline-flex items-center gap-8 whitespace-nowrap align-top text-13">
      <span aria-hidden className={`size-8 shrink-0 rounded-round ${DOTS[meaning]}`} />
      {children}
    </span>
  )
}

const DOTS: Record<Meaning, string> = {
  good: 'bg-good-text',
  warning: 'bg-warning-text',
  bad: 'bg-bad-text',
  info: 'bg-info-text',
  accent: 'bg-accent-text',
  neutral: 'bg-neutral-9',
}
