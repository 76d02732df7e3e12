import { HUE_TONES, hueOf } from '../../components/faces.tsx'

/** A square with the provider's initial, in its own color. */
export function ProviderMark({ id, name }: { id: string; name: string }) {
  return (
    <span
      aria-hidden
      className={`inline-flex size-24 shrink-0 select-none items-center justify-center rounded-control font-strong text-12 ${HUE_TONES[hueOf(id)]}`}
    >
      {name.slice(0, 1)}
    </span>
  )
}
