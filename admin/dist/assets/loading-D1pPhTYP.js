import{r as e}from"./rolldown-runtime-XKyaHtl9.js";import{J as t,f as n}from"./index-YIbxV-mR.js";import{t as r}from"./Button-Bn-WRjX6.js";import{K as i,N as a}from"./useTheme-CKU22Eac.js";import{Et as o,Ft as s,Gt as c,It as l,Kt as u,Pt as d,Vt as f,gt as p,mt as m,pt as h,tt as g}from"./TextField-CyiYVDc7.js";import{t as _}from"./Stack-B6fa3Cyi.js";import{t as v}from"./Title-BGYaBJKC.js";function y(e){return String(e).match(/[\d.\-+]*\s*(.*)/)[1]||``}function b(e){return parseFloat(e)}var x=e(i(),1);function S(e){return s(`MuiSkeleton`,e)}d(`MuiSkeleton`,[`root`,`text`,`rectangular`,`rounded`,`circular`,`pulse`,`wave`,`withChildren`,`fitContent`,`heightAuto`]);var C=a(),w=e=>{let{classes:t,variant:n,animation:r,hasChildren:i,width:a,height:s}=e;return o({root:[`root`,n,r,i&&`withChildren`,i&&!a&&`fitContent`,i&&!s&&`heightAuto`]},S,t)},T=u`
  0% {
    opacity: 1;
  }

  50% {
    opacity: 0.4;
  }

  100% {
    opacity: 1;
  }
`,E=u`
  0% {
    transform: translateX(-100%);
  }

  50% {
    /* +0.5s of delay between each loop */
    transform: translateX(100%);
  }

  100% {
    transform: translateX(100%);
  }
`,D=typeof T==`string`?null:c`
        animation: ${T} 2s ease-in-out 0.5s infinite;
      `,O=typeof E==`string`?null:c`
        &::after {
          animation: ${E} 2s linear 0.5s infinite;
        }
      `,k=p(`span`,{name:`MuiSkeleton`,slot:`Root`,overridesResolver:(e,t)=>{let{ownerState:n}=e;return[t.root,t[n.variant],n.animation!==!1&&t[n.animation],n.hasChildren&&t.withChildren,n.hasChildren&&!n.width&&t.fitContent,n.hasChildren&&!n.height&&t.heightAuto]}})(m(({theme:e})=>{let t=y(e.shape.borderRadius)||`px`,n=b(e.shape.borderRadius),r=g(e,{animation:`none`}),i=g(e,{"&::after":{animation:`none`,display:`none`}});return{display:`block`,backgroundColor:e.vars?e.vars.palette.Skeleton.bg:e.alpha(e.palette.text.primary,e.palette.mode===`light`?.11:.13),height:`1.2em`,variants:[{props:{variant:`text`},style:{marginTop:0,marginBottom:0,height:`auto`,transformOrigin:`0 55%`,transform:`scale(1, 0.60)`,borderRadius:`${n}${t}/${Math.round(n/.6*10)/10}${t}`,"&:empty:before":{content:`"\\00a0"`}}},{props:{variant:`circular`},style:{borderRadius:`50%`}},{props:{variant:`rounded`},style:{borderRadius:(e.vars||e).shape.borderRadius}},{props:({ownerState:e})=>e.hasChildren,style:{"& > *":{visibility:`hidden`}}},{props:({ownerState:e})=>e.hasChildren&&!e.width,style:{maxWidth:`fit-content`}},{props:({ownerState:e})=>e.hasChildren&&!e.height,style:{height:`auto`}},{props:{animation:`pulse`},style:D||{animation:`${T} 2s ease-in-out 0.5s infinite`}},...r?[{props:{animation:`pulse`},style:r}]:[],{props:{animation:`wave`},style:{position:`relative`,overflow:`hidden`,WebkitMaskImage:`-webkit-radial-gradient(white, black)`,"&::after":{background:`linear-gradient(
                90deg,
                transparent,
                ${(e.vars||e).palette.action.hover},
                transparent
              )`,content:`""`,position:`absolute`,transform:`translateX(-100%)`,bottom:0,left:0,right:0,top:0}}},{props:{animation:`wave`},style:O||{"&::after":{animation:`${E} 2s linear 0.5s infinite`}}},...i?[{props:{animation:`wave`},style:i}]:[]]}})),A=x.forwardRef(function(e,t){let n=h({props:e,name:`MuiSkeleton`}),{animation:r=`pulse`,className:i,component:a=`span`,height:o,style:s,variant:c=`text`,width:u,...d}=n,f={...n,animation:r,component:a,variant:c,hasChildren:!!d.children},p=w(f);return(0,C.jsx)(k,{as:a,ref:t,className:l(p.root,i),ownerState:f,...d,style:{width:u,height:o,...s}})});function j({lines:e=6}){let t=f();return(0,C.jsx)(_,{spacing:1,role:`status`,"aria-label":t(`state.loading`),sx:{p:2},children:Array.from({length:e},(e,t)=>(0,C.jsx)(A,{variant:`rounded`,height:36},t))})}function M({error:e,onRetry:i,title:a}){let o=f(),s=n();return(0,C.jsxs)(C.Fragment,{children:[a!==void 0&&(0,C.jsx)(v,{title:o(a)}),(0,C.jsxs)(t,{severity:`error`,sx:{m:2},action:(0,C.jsx)(r,{color:`inherit`,onClick:i,children:o(`button.retry`)}),children:[o(`state.failed`),` `,s(e)]})]})}export{j as n,A as r,M as t};