import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Code } from './code.tsx'

interface EmptyProps {
  icon: LucideIcon
  title: ReactNode
  children?: ReactNode
  action?: ReactNode
  /** Fills the page, so its title is the `h1`. */
  page?: boolean
  /** The CLI or curl equivalent of the action. */
  command?: string
  /** Introduces the command where it differs from the action. */
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
            {commandLead ?? 'Or from the command line, with an API key:'}
          </p>
          <Code command what="command">
            {command}
          </Code>
        </div>
      )}
    </div>
  )
}
