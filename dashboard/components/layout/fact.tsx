import type { ReactNode } from 'react'

interface FactProps {
  label: string
  children: ReactNode
}

/** One line of the details of a record, inside a `dl`. */
export const Fact = ({ label, children }: FactProps) => (
  <div className="flex gap-12">
    <dt className="w-1/3 shrink-0 text-neutral-11">{label}</dt>
    <dd className="wrap-anywhere min-w-0 flex-1">{children}</dd>
  </div>
)

/** One row of a list of details, inside a `dl`: the label at the left, the value at the right. */
export const FactRow = ({ label, children }: FactProps) => (
  <div className="flex min-h-row items-center justify-between gap-16 border-neutral-6 border-b py-4">
    <dt className="text-neutral-11">{label}</dt>
    <dd className="min-w-0 text-right">{children}</dd>
  </div>
)

/** One cell of the facts at the top of a page, inside a `dl`: the label above the value. */
export const FactCell = ({ label, className = '', children }: FactProps & { className?: string }) => (
  <div className={`min-w-0 ${className}`}>
    <dt className="text-12 text-neutral-11">{label}</dt>
    <dd className="wrap-anywhere tabular-nums">{children}</dd>
  </div>
)

/** A link in the value of a fact. */
export const LINK = 'underline decoration-neutral-8 hover:decoration-current'
