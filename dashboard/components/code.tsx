import { Copy } from './copy.tsx'

interface CodeProps {
  children: string
  /** What it is, for the accessible name of the copy button. */
  what: string
  /** A command keeps its lines, because a backslash counts only at the end of one; it scrolls instead. */
  command?: boolean
  /** May be long: beyond half of the screen it scrolls. */
  tall?: boolean
}

export function Code({ children, what, command, tall }: CodeProps) {
  return (
    <div className="relative rounded-control border border-neutral-6 bg-neutral-2">
      <pre
        // What scrolls has to be reached by keyboard.
        tabIndex={command || tall ? 0 : undefined}
        className={`mr-32 py-8 pl-12 text-left font-mono text-12 ${command ? 'overflow-x-auto' : 'whitespace-pre-wrap wrap-anywhere'} ${tall ? 'max-h-half overflow-y-auto' : ''}`}
      >
        {children}
      </pre>
      <div className="absolute top-4 right-4">
        <Copy value={children} what={what} />
      </div>
    </div>
  )
}
