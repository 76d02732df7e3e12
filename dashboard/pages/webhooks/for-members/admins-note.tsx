import type { ReactNode } from 'react'

/** Explains to a member why actions are missing. */
export function AdminsNote({ children }: { children: ReactNode }) {
  return (
    <p className="border-neutral-6 border-b bg-neutral-2 px-16 py-8 text-13 text-neutral-11 md:px-24">
      {children}
    </p>
  )
}
