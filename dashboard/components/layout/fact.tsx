import type { ReactNode } from 'react'

interface FactProps {
  label: string
  children: ReactNode
}

/** Use inside a `dl`. */
export const Fact = ({ label, children }: FactProps) => (
  <div className="flex gap-12">
    <dt className="w-1/3 shrink-0 text-neutral-11">{label}</dt>
    <dd className="wrap-anywhere min-w-0 flex-1">{children}</dd>
  </div>
)

/** Use inside a `dl`: label on the left, value on the right. */
export const FactRow = ({ label, children }: FactProps) => (
  <div className="flex min-h-row items-center justify-between gap-16 border-neutral-6 border-b py-4">
    <dt className="text-neutral-11">{label}</dt>
    <dd className="min-w-0 text-right">{children}</dd>
  </div>
)

/** Use inside a `dl`: label above the value. */
export const FactCell = ({ label, className = '', children }: FactProps & { className?: string }) => (
  <div className={`min-w-0 ${className}`}>
    <dt className="text-12 text-neutral-11">{label}</dt>
    <dd className="wrap-anywhere tabular-nums">{children}</dd>
  </div>
)

export const LINK = 'underline decoration-neutral-8 hover:decoration-current'
