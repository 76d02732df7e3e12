import type { ReactNode } from 'react'

interface BadgeProps {
  mono?: boolean
  accent?: boolean
  children: ReactNode
}

export function Badge({ mono, accent, children }: BadgeProps) {
  const tone = accent
    ? 'border-accent-line bg-accent-wash text-accent-text'
    : 'border-neutral-6 bg-inset text-neutral-11'
  return (
    <span
      className={`inline-block whitespace-nowrap rounded-control border px-4 text-12 ${tone} ${mono ? 'font-mono' : ''}`}
    >
      {children}
    </span>
  )
}
