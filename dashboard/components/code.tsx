import { Copy } from './copy.tsx'

interface CodeProps {
  children: string
  /** What it is, for the accessible name of the copy button. */
  what: string
}

export function Code({ children, what }: CodeProps) {
  return (
    <div className="relative rounded-control border border-neutral-6 bg-neutral-2">
      <pre className="whitespace-pre-wrap break-words py-8 pr-32 pl-12 text-left font-mono text-12">
        {children}
      </pre>
      <div className="absolute top-4 right-4">
        <Copy value={children} what={what} />
      </div>
    </div>
  )
}
