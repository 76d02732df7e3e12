import type { ReactNode } from 'react'

/** One line of the details of a record, inside a `dl`. */
export const Fact = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className="flex gap-12">
    <dt className="w-1/3 shrink-0 text-neutral-11">{label}</dt>
    <dd className="wrap-anywhere min-w-0 flex-1">{children}</dd>
  </div>
)

export const LINK = 'underline decoration-neutral-8 hover:decoration-current'
