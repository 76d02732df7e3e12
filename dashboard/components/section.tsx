import { type ReactNode, useId } from 'react'

interface SectionProps {
  title: string
  lead?: ReactNode
  children: ReactNode
}

export function Section({ title, lead, children }: SectionProps) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="border-neutral-6 border-b px-16 py-24 last:border-b-0 md:px-24">
      <div className="grid max-w-sheet gap-x-32 gap-y-16 @wide:grid-cols-3">
        <header className="flex flex-col gap-4">
          <h2 id={id} className="font-strong">
            {title}
          </h2>
          {lead && <p className="text-13 text-neutral-11">{lead}</p>}
        </header>
        <div className="flex min-w-0 max-w-fields flex-col gap-16 @wide:col-span-2">{children}</div>
      </div>
    </section>
  )
}

export function Rows({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ul aria-label={label} className="border-neutral-6 border-t">
      {children}
    </ul>
  )
}

interface RowProps {
  icon?: ReactNode
  title: ReactNode
  note?: ReactNode
  children?: ReactNode
}

export function Row({ icon, title, note, children }: RowProps) {
  return (
    <li className="flex min-h-48 flex-wrap items-center gap-x-12 gap-y-4 border-neutral-6 border-b py-8">
      {icon}
      <div className="min-w-0 flex-1 basis-qr">
        <div className="flex min-w-0 flex-wrap items-center gap-x-8 text-13 *:max-w-full">{title}</div>
        {note && <div className="wrap-anywhere text-12 text-neutral-11">{note}</div>}
      </div>
      {children && <div className="flex shrink-0 items-center gap-4">{children}</div>}
    </li>
  )
}
