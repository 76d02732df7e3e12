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
      <Drawing icon={icon} />
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

function Drawing({ icon: Icon }: { icon: LucideIcon }) {
  return (
    <div className="relative flex items-center justify-center">
      <svg aria-hidden width="176" height="96" fill="none" strokeWidth="1.5" strokeLinecap="round">
        <g className="fill-inset stroke-neutral-7">
          <rect x="18" y="22" width="64" height="54" rx="6" transform="rotate(-7 50 49)" />
          <rect x="94" y="22" width="64" height="54" rx="6" transform="rotate(7 126 49)" />
        </g>
        <g className="stroke-neutral-7">
          <path d="m28 38 14-2M29 47l10-1M146 36l-10-1M147 46l-13-2" />
          <path className="stroke-accent-line" d="M162 12v8M158 16h8M12 78v6M9 81h6" />
        </g>
        <rect x="56" y="12" width="64" height="72" rx="8" className="fill-card stroke-neutral-8" />
        <path className="stroke-neutral-6" strokeDasharray="4 5" d="M68 64h40M68 73h26" />
      </svg>
      <Icon aria-hidden strokeWidth={1.5} className="-mt-16 absolute size-24 text-accent-text" />
    </div>
  )
}
