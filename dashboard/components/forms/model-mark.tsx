import { Mark } from '../connectors/mark.tsx'

/** A provider's square. */
export const ModelMark = ({ provider }: { provider: string }) => (
  <Mark slug={provider.toLowerCase()} name={([...provider][0] ?? '?').toUpperCase()} size="small" />
)
