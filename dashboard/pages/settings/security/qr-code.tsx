import { useQuery } from '@tanstack/react-query'

/** One path, dark on light in both themes: many scanners do not read inverted codes. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const drawn = useQuery({
    queryKey: ['qr', text],
    queryFn: () => draw(text),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  return (
    <div className="aspect-square w-qr shrink-0 rounded-control border border-neutral-6 bg-on-accent p-8">
      {drawn.data && (
        <svg
          role="img"
          aria-label={label}
          viewBox={`0 0 ${drawn.data.size} ${drawn.data.size}`}
          shapeRendering="crispEdges"
          className="size-full"
        >
          <path d={drawn.data.path} fill="#000" />
        </svg>
      )}
    </div>
  )
}

async function draw(text: string) {
  const { encode } = await import('uqr')
  const { data, size } = encode(text, { border: 1, ecc: 'M' })
  const path = data.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
  return { path, size }
}
