import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { t } from '../../contract/text.ts'
import { Code } from './code.tsx'

interface EmptyProps {
  icon: LucideIcon
  title: ReactNode
  children?: ReactNode
  action?: ReactNode
  /** Fills the page, so its title is the `h1`. */
  page?: boolean
  /** Not centered, because other content follows. */
  inline?: boolean
  command?: string
  /** Introduces the command where it differs from the action. */
  commandLead?: string
}

export function Empty(props: EmptyProps) {
  const { icon, title, children, action, page, inline, command, commandLead } = props
  const Heading = page ? 'h1' : 'h2'
  return (
    <div
      className={`mx-auto flex w-full max-w-reading flex-col items-center justify-center gap-16 px-16 py-32 text-center md:px-24 ${inline ? '' : 'min-h-panel-max'}`}
    >
      <Example icon={icon} />
      <div className="flex flex-col gap-4">
        <Heading className="text-balance font-strong text-16">{title}</Heading>
        {children && <p className="text-balance text-neutral-11">{children}</p>}
      </div>
      {action}
      {command && (
        <div className="w-full text-left">
          <p className="mb-8 text-center text-12 text-neutral-11">
            {commandLead ?? t`Or use the command line with an API key:`}
          </p>
          <Code command what="command">
            {command}
          </Code>
        </div>
      )}
    </div>
  )
}

const ROWS = ['w-2/3', 'w-1/2', 'w-3/5']

/** The filled page, faded: rows as this list will have them. */
const Example = ({ icon: Icon }: { icon: LucideIcon }) => (
  <div aria-hidden className="w-full max-w-dialog opacity-60 [mask-image:linear-gradient(#000,transparent)]">
    {ROWS.map((width) => (
      <div key={width} className="flex h-48 items-center gap-12 border-neutral-6 border-b px-8">
        <span className="flex size-24 shrink-0 items-center justify-center rounded-control bg-neutral-4 text-neutral-9">
          <Icon className="icon" />
        </span>
        <span className="flex flex-1 flex-col gap-4">
          <span className={`h-8 rounded-round bg-neutral-5 ${width}`} />
          <span className="h-4 w-1/3 rounded-round bg-neutral-4" />
        </span>
        <span className="h-8 w-48 rounded-round bg-neutral-4" />
      </div>
    ))}
  </div>
)
