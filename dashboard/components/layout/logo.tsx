export function Logo({ size }: { size: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 24 24" aria-hidden="true" className="shrink-0">
      <rect width="24" height="24" rx="6" className="fill-accent" />
      <path
        d="M5.75 18.75V12a6.25 6.25 0 0 1 12.5 0v6.75"
        fill="none"
        strokeWidth="2.25"
        strokeLinecap="round"
        className="stroke-on-accent"
      />
      <circle cx="12" cy="13" r="2.25" fill="#8fe0d6" />
    </svg>
  )
}
