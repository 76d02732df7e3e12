import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Code } from './code.tsx'

interface EmptyProps {
  icon: LucideIcon
  /** One sentence: what will be here, and why that is useful. */
  title: string
  children?: ReactNode
  action?: ReactNode
  /** It stands for the whole page rather than for a list in it. */
  page?: boolean
  /** The line that does the same from a terminal. */
  command?: string
  /** What that line does, where it is not the same as the action. */
  commandLead?: string
}

export function Empty({ icon: Icon, title, children, action, page, command, commandLead }: EmptyProps) {
  const Heading = page ? 'h1' : 'h2'
  return (
    <div className="flex max-w-reading flex-col items-start gap-16 px-16 py-32 md:px-24 md:py-48">
      <Icon aria-hidden strokeWidth={1.5} className="size-24 text-neutral-10" />
      <div className="flex flex-col gap-4">
        <Heading className="font-strong text-16">{title}</Heading>
        {children && <p className="text-neutral-11">{children}</p>}
      </div>
      {action}
      {command && (
        <div className="w-full">
          <p className="mb-8 text-12 text-neutral-11">
            {commandLead ?? 'Or from a terminal, with an API key:'}
          </p>
          <Code command what="command">
            {command}
          </Code>
        </div>
      )}
    </div>
  )
}
