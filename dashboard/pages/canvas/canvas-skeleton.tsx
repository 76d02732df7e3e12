import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { projectQuery } from '../../api/projects.ts'
import { ProjectFace } from '../../components/faces.tsx'
import { Name } from '../../components/name.tsx'

const BLOCKS = ['aspect-2/1', 'mt-48 aspect-3/2', 'mt-16 aspect-3/1']

/** Part of the first bundle: shows while the canvas code loads, and reads the project meanwhile. */
export function CanvasSkeleton() {
  const { ref = '' } = useParams({ strict: false }) as { ref?: string }
  const { data: project } = useQuery(projectQuery(ref))
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col">
      <header className="flex h-header shrink-0 items-center gap-8 border-neutral-6 border-b px-16">
        {project ? (
          <>
            <ProjectFace project={project} />
            <h1 className="truncate px-4 font-strong text-16 tracking-heading">
              <Name>{project.name}</Name>
            </h1>
          </>
        ) : (
          <>
            <h1 className="sr-only">Project</h1>
            <span aria-hidden className="h-12 w-qr animate-late rounded-control bg-neutral-4" />
          </>
        )}
      </header>
      <div
        role="status"
        aria-label="Loading canvas"
        className="flex flex-1 flex-wrap content-center items-start justify-center gap-24 overflow-hidden bg-page p-24"
      >
        {BLOCKS.map((size) => (
          <span
            key={size}
            aria-hidden
            className={`animate-late rounded-panel w-qr bg-card shadow-raised ${size}`}
          />
        ))}
      </div>
    </div>
  )
}
