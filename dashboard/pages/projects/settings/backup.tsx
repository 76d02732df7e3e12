import { Upload } from 'lucide-react'
import { useRef, useState } from 'react'
import type { ProjectDetails } from '../../../api/projects.ts'
import { Button } from '../../../components/button.tsx'
import { FormFailure } from '../../../components/failure.tsx'
import { Downloads } from './downloads.tsx'
import { type Manifest, readManifest } from './read-manifest.ts'
import { RestoreDialog } from './restore-dialog.tsx'

/** Taking a project along as a document, and bringing it back from one. */
export function Backup({ project }: { project: ProjectDetails }) {
  const chooser = useRef<HTMLInputElement>(null)
  const [manifest, setManifest] = useState<Manifest>()
  const [problem, setProblem] = useState<string>()
  const choose = async (file: File | undefined) => {
    if (!file) return
    const read = readManifest(await file.text())
    setProblem(read.problem)
    setManifest(read.manifest)
  }
  return (
    <div className="flex flex-col gap-12">
      <p className="text-13 text-neutral-11">
        A manifest holds the settings, the canvas and the hashes of the files, and can be restored here or in
        another project. JSON Canvas is for other programs.
      </p>
      <Downloads project={project} />
      <FormFailure>{problem}</FormFailure>
      <div>
        <input
          ref={chooser}
          type="file"
          accept=".json,application/json"
          aria-label="Manifest to restore from"
          className="sr-only"
          tabIndex={-1}
          onChange={(event) => {
            void choose(event.target.files?.[0])
            event.target.value = ''
          }}
        />
        <Button onClick={() => chooser.current?.click()}>
          <Upload aria-hidden className="icon" />
          Restore from a manifest…
        </Button>
      </div>
      {manifest && (
        <RestoreDialog project={project} manifest={manifest} onClose={() => setManifest(undefined)} />
      )}
    </div>
  )
}
