/// <reference types="vitest/config" />
import { fileURLToPath } from 'node:url'

import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vite'

import { firstLoad } from './first_load.ts'

/** The sources of the client, since a fresh clone has no package of it. */
const CLIENT = fileURLToPath(new URL('../sdk/typescript/src', import.meta.url))
const SERVER = process.env.STOWBOARD ?? 'http://127.0.0.1:8080'

export default defineConfig({
  base: '/console/',
  plugins: [svelte(), firstLoad()],
  build: {
    outDir: process.env.CONSOLE_OUT ?? '../src/stowboard/built/console',
    emptyOutDir: true,
    license: { fileName: 'THIRD-PARTY.md' },
    // Everything must come from our own origin as a file: the page's policy allows no `data:` scripts or fonts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // One file of 9 kB, since each more of them would be a round trip.
    cssCodeSplit: false,
    // The first that know `light-dark()`, with which the served tokens.css is written. For older ones it would be turned
    // into variables that nothing sets, since tokens.css does not pass through here.
    cssTarget: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
    chunkSizeWarningLimit: 500,
    // Left to itself the bundler cuts what two screens share into many small files, each a round trip of its own.
    rolldownOptions: {
      output: {
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [
            {
              name: 'base',
              test: /rolldown.runtime|vite.preload|node_modules.(svelte|esm-env|clsx|thumbhash|@tanstack|@lucide).|typescript.src.(?!uploads)|src.(api.(?!tasks|together|worker)\w+(\.svelte)?\.ts|shell.(?!frame|proofs|passkeys|parts.(History|PanelFrame|TrashButton|DraftField))|shell.frame.overlays|media.(Thumb|library|links|state_of))/,
            },
            { name: 'work', test: /src.(api.tasks|tasks.\w+\.)/, minShareCount: 2 },
          ],
        },
      },
    },
  },
  server: {
    // The tests read the manual's vector of sealed texts.
    fs: { allow: process.env.VITEST ? ['..'] : ['.', CLIENT] },
    proxy: Object.fromEntries(
      ['/api', '/session', '/signin', '/signout', '/pages', '/cdn', '/uploads', '/stream', '/docs'].map((path) => [
        path,
        { target: SERVER },
      ]),
    ),
  },
  // Components are mounted in the tests as in a browser, not rendered as a server would.
  resolve: {
    alias: { '@stowboard/client': `${CLIENT}/index.ts` },
    ...(process.env.VITEST && { conditions: ['browser'] }),
  },
  // One environment for all files: to make it for each takes longer than the tests.
  test: { environment: 'happy-dom', isolate: false, include: ['src/**/*.test.ts'], testTimeout: 60_000 },
})
