import type { ReactNode } from 'react'

export function DetailRow({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex min-w-0 items-center justify-between gap-16">
      <dt className="max-w-1/2 shrink-0 truncate text-neutral-11">{name}</dt>
      <dd className="flex min-w-0 items-center gap-4 text-right">{children}</dd>
    </div>
  )
}
