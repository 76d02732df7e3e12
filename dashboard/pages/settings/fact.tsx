import type { ReactNode } from 'react'

/** A row of a `dl`: the name at the left, the value at the right. */
export const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="flex min-h-row items-center justify-between gap-16 border-neutral-6 border-b py-4">
    <dt className="text-neutral-11">{name}</dt>
    <dd className="min-w-0 text-right">{children}</dd>
  </div>
)
