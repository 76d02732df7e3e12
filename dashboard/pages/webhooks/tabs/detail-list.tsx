import type { ReactNode } from 'react'

export function DetailList({ children }: { children: ReactNode }) {
  return <dl className="border-neutral-6 border-t text-13">{children}</dl>
}

export function DetailRow({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex min-h-row items-center gap-16 border-neutral-6 border-b py-4">
      <dt className="w-status shrink-0 text-neutral-11">{label}</dt>
      <dd className="flex min-w-0 flex-1 items-center justify-between gap-8">{children}</dd>
    </div>
  )
}
