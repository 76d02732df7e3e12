import { Box } from 'lucide-react'
import { Mark } from '../connectors/mark.tsx'

/** A provider's square. */
export function ModelMark({ provider }: { provider: string }) {
  const [first] = provider
  if (first === undefined) {
    return (
      <span
        aria-hidden
        className="inline-flex size-24 shrink-0 items-center justify-center rounded-square bg-hue-8-soft text-hue-8"
      >
        <Box className="size-12" />
      </span>
    )
  }
  return <Mark slug={provider.toLowerCase()} name={first.toUpperCase()} size="small" />
}
