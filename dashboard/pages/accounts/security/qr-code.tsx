import { useQuery } from '@tanstack/react-query'

/** One path, dark on light in both themes: many scanners do not read inverted codes. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const qrCode = useQuery({
    queryKey: ['qr', text],
    queryFn: () => draw(text),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  return (
    <div className="aspect-square w-qr shrink-0 rounded-control border border-neutral-6 bg-on-accent p-8">
      {qrCode.data && (
        <svg
          role="img"
          aria-label={label}
          viewBox={`0 0 ${qrCode.data.size} ${qrCode.data.size}`}
          shapeRendering="crispEdges"
          className="size-full"
        >
          <path d={qrCode.data.path} fill="#000" />
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
