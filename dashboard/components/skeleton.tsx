/** Appears after 150 ms, so a fast response doesn't flicker. */
export function SkeletonRows({ rows = 6 }: { rows?: number }) {
  return (
    <div role="status" aria-label="Loading" className="animate-late">
      {Array.from({ length: rows }, (_, row) => row).map((row) => (
        <div key={row} className="flex h-row items-center gap-24 border-neutral-6 border-b px-16 md:px-24">
          <span className={`h-12 rounded-control bg-neutral-4 ${row % 2 ? 'w-1/2' : 'w-1/3'}`} />
          <span className="ml-auto h-12 w-48 rounded-control bg-neutral-4" />
        </div>
      ))}
    </div>
  )
}
