import { type ReactNode, useId } from 'react'

interface SettingGroupProps {
  title: string
  lead?: string
  children: ReactNode
}

export function SettingGroup({ title, lead, children }: SettingGroupProps) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="flex flex-col gap-12">
      <header className="flex flex-col gap-2">
        <h2 id={id} className="font-strong tracking-heading">
          {title}
        </h2>
        {lead && <p className="text-13 text-neutral-11">{lead}</p>}
      </header>
      {children}
    </section>
  )
}
