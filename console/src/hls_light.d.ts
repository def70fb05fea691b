// The light build has the same types, but does not say so.
declare module 'hls.js/light' {
  export { default } from 'hls.js'
}
