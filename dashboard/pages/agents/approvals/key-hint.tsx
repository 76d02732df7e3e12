import { KEY_HINT, Keys } from '../../../components/kbd.tsx'

/** The key of a button, on the approval that receives keys. */
export const KeyHint = ({ keys }: { keys: string }) => (
  <span aria-hidden className={`${KEY_HINT} rounded-control bg-neutral-1`}>
    <Keys keys={keys} />
  </span>
)
