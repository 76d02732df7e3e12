import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Plugin } from 'vite'

const FILE = 'frames/mermaid.js'
const MERMAID = createRequire(import.meta.url).resolve('@mermaid-js/tiny')

/** Copies Mermaid as it is for the frame in `public/frames/`: no module of the dashboard imports it. */
export function diagramFrame(): Plugin {
  return {
    name: 'atrium:diagram-frame',
    configureServer(server) {
      server.middlewares.use(`/${FILE}`, (_request, response) => {
        response.setHeader('content-type', 'text/javascript')
        // The sandboxed frame has no origin.
        response.setHeader('cross-origin-resource-policy', 'cross-origin')
        void readFile(MERMAID).then((content) => response.end(content))
      })
    },
    async generateBundle() {
      const isFirstLanguage = this.environment.config.publicDir !== ''
      if (isFirstLanguage) this.emitFile({ type: 'asset', fileName: FILE, source: await readFile(MERMAID) })
    },
  }
}
