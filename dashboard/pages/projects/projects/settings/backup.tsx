import { Download, Upload } from 'lucide-react'
import { useRef, useState } from 'react'
import type { ProjectDetails } from '../../../../api/projects.ts'
import { Button, buttonClass } from '../../../../components/button.tsx'
import { FormFailure } from '../../../../components/failure.tsx'
import { FileInput } from '../../../../components/forms/file-input.tsx'
import { type Manifest, parseManifest, RestoreDialog } from './restore-dialog.tsx'

export function Backup({ project }: { project: ProjectDetails }) {
  const fileInput = useRef<HTMLInputElement>(null)
  const [manifest, setManifest] = useState<Manifest>()
  const [error, setError] = useState<string>()
  const select = async (file: File | undefined) => {
    if (!file) return
    const parsed = parseManifest(await file.text())
    setError(parsed.error)
    setManifest(parsed.manifest)
  }
  return (
    <div className="flex flex-col gap-12">
      <p className="text-13 text-neutral-11">
        A manifest contains the settings, canvas and file hashes. Restore it here or in another project. For
        other apps, use JSON Canvas.
      </p>
      <Downloads project={project} />
      <FormFailure>{error}</FormFailure>
      <div>
        <FileInput
          ref={fileInput}
          accept=".json,application/json"
          label="Manifest to restore"
          onFiles={([file]) => void select(file)}
        />
        <Button onClick={() => fileInput.current?.click()}>
          <Upload aria-hidden className="icon" />
          Restore from manifest…
        </Button>
      </div>
      {manifest && (
        <RestoreDialog project={project} manifest={manifest} onClose={() => setManifest(undefined)} />
      )}
    </div>
  )
}

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
