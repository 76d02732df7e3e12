export type Meaning = 'good' | 'warning' | 'bad' | 'info' | 'accent' | 'neutral'

/** Each meaning has a shape of its own: color alone isn't accessible. */
export function Status({ meaning, children }: { meaning: Meaning; children: string }) {
  return (
    <span className="inline-flex items-center gap-8 whitespace-nowrap align-top text-13">
      <StatusMark meaning={meaning} />
      {children}
    </span>
  )
}

/** Only the shape in narrow tables, with its words for screen readers. */
export const NarrowStatus = ({ label, meaning }: { label: string; meaning: Meaning }) => (
  <span
    title={label}
    className={`inline-flex items-center gap-8 whitespace-nowrap align-top text-13 ${meaning === 'neutral' ? 'text-neutral-11' : ''}`}
  >
    <StatusMark meaning={meaning} />
    <span className="sr-only @medium:not-sr-only">{label}</span>
  </span>
)

/** Needs its meaning in words beside it. */
export const StatusMark = ({ meaning }: { meaning: Meaning }) => (
  <svg
    aria-hidden="true"
    width="16"
    height="16"
    viewBox="0 0 16 16"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.75"
    strokeLinecap="round"
    strokeLinejoin="round"
    className={`shrink-0 ${TONES[meaning]}`}
  >
    {SHAPES[meaning]}
  </svg>
)

const DISC = <circle cx="8" cy="8" r="7" stroke="none" className="fill-current opacity-20" />

const SHAPES = {
  good: (
    <>
      {DISC}
      <path d="m5.2 8.2 2 2 3.6-4" />
    </>
  ),
  warning: (
    <>
      {DISC}
      <path d="M6.3 5.8v4.4M9.7 5.8v4.4" />
    </>
  ),
  bad: (
    <>
      {DISC}
      <path d="m5.8 5.8 4.4 4.4M10.2 5.8l-4.4 4.4" />
    </>
  ),
  info: (
    <>
      {DISC}
      <path d="M8 7.5v3M8 5.2v.1" />
    </>
  ),
  accent: <path d="M8 2.5a5.5 5.5 0 1 1-5.5 5.5" />,
  neutral: <circle cx="8" cy="8" r="5.2" strokeDasharray="2 2.4" />,
}

const TONES: Record<Meaning, string> = {
  good: 'text-good-mark',
  warning: 'text-warning-mark',
  bad: 'text-bad-mark',
  info: 'text-info-mark',
  accent: 'text-accent-mark',
  neutral: 'text-neutral-9',
}
