import { Download } from 'lucide-react'
import type { ProjectDetails } from '../../../../api/projects.ts'
import { buttonClass } from '../../../../components/button.tsx'

export function Downloads({ project }: { project: ProjectDetails }) {
  const base = `/api/v1/projects/${project.id}/export`
  return (
    <div className="flex flex-wrap gap-8">
      <a href={base} download={`${project.slug}.atrium.json`} className={buttonClass()}>
        <Download aria-hidden className="icon" />
        Manifest
      </a>
      <a href={`${base}?format=jsoncanvas`} download={`${project.slug}.canvas`} className={buttonClass()}>
        <Download aria-hidden className="icon" />
        JSON Canvas
      </a>
    </div>
  )
}
