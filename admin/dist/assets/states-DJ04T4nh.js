import{D as e}from"./isArrayLike-Cu-Yp5qu.js";import{$t as t,Fr as n,G as r,It as i,Lr as a,Nt as o,P as s,Pt as c,Rr as l,Vr as u,Yn as d,d as f,fn as p,l as m,mn as h,pn as g,xt as _}from"./client-BiIUGZjB.js";import{t as v}from"./Stack-DmrTjWlf.js";function y(e){return String(e).match(/[\d.\-+]*\s*(.*)/)[1]||``}function b(e){return parseFloat(e)}var x=e(u(),1);function S(e){return g(`MuiSkeleton`,e)}p(`MuiSkeleton`,[`root`,`text`,`rectangular`,`rounded`,`circular`,`pulse`,`wave`,`withChildren`,`fitContent`,`heightAuto`]);var C=n(),w=e=>{let{classes:n,variant:r,animation:i,hasChildren:a,width:o,height:s}=e;return t({root:[`root`,r,i,a&&`withChildren`,a&&!o&&`fitContent`,a&&!s&&`heightAuto`]},S,n)},T=l`
  0% {
    opacity: 1;
  }

  50% {
    opacity: 0.4;
  }

  100% {
    opacity: 1;
  }
`,E=l`
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
`,D=typeof T==`string`?null:a`
        animation: ${T} 2s ease-in-out 0.5s infinite;
      `,O=typeof E==`string`?null:a`
        &::after {
          animation: ${E} 2s linear 0.5s infinite;
        }
      `,k=i(`span`,{name:`MuiSkeleton`,slot:`Root`,overridesResolver:(e,t)=>{let{ownerState:n}=e;return[t.root,t[n.variant],n.animation!==!1&&t[n.animation],n.hasChildren&&t.withChildren,n.hasChildren&&!n.width&&t.fitContent,n.hasChildren&&!n.height&&t.heightAuto]}})(c(({theme:e})=>{let t=y(e.shape.borderRadius)||`px`,n=b(e.shape.borderRadius),r=_(e,{animation:`none`}),i=_(e,{"&::after":{animation:`none`,display:`none`}});return{display:`block`,backgroundColor:e.vars?e.vars.palette.Skeleton.bg:e.alpha(e.palette.text.primary,e.palette.mode===`light`?.11:.13),height:`1.2em`,variants:[{props:{variant:`text`},style:{marginTop:0,marginBottom:0,height:`auto`,transformOrigin:`0 55%`,transform:`scale(1, 0.60)`,borderRadius:`${n}${t}/${Math.round(n/.6*10)/10}${t}`,"&:empty:before":{content:`"\\00a0"`}}},{props:{variant:`circular`},style:{borderRadius:`50%`}},{props:{variant:`rounded`},style:{borderRadius:(e.vars||e).shape.borderRadius}},{props:({ownerState:e})=>e.hasChildren,style:{"& > *":{visibility:`hidden`}}},{props:({ownerState:e})=>e.hasChildren&&!e.width,style:{maxWidth:`fit-content`}},{props:({ownerState:e})=>e.hasChildren&&!e.height,style:{height:`auto`}},{props:{animation:`pulse`},style:D||{animation:`${T} 2s ease-in-out 0.5s infinite`}},...r?[{props:{animation:`pulse`},style:r}]:[],{props:{animation:`wave`},style:{position:`relative`,overflow:`hidden`,WebkitMaskImage:`-webkit-radial-gradient(white, black)`,"&::after":{background:`linear-gradient(
                90deg,
                transparent,
                ${(e.vars||e).palette.action.hover},
                transparent
              )`,content:`""`,position:`absolute`,transform:`translateX(-100%)`,bottom:0,left:0,right:0,top:0}}},{props:{animation:`wave`},style:O||{"&::after":{animation:`${E} 2s linear 0.5s infinite`}}},...i?[{props:{animation:`wave`},style:i}]:[]]}})),A=x.forwardRef(function(e,t){let n=o({props:e,name:`MuiSkeleton`}),{animation:r=`pulse`,className:i,component:a=`span`,height:s,style:c,variant:l=`text`,width:u,...d}=n,f={...n,animation:r,component:a,variant:l,hasChildren:!!d.children},p=w(f);return(0,C.jsx)(k,{as:a,ref:t,className:h(p.root,i),ownerState:f,...d,style:{width:u,height:s,...c}})});function j({lines:e=6}){let t=d();return(0,C.jsx)(v,{spacing:1,role:`status`,"aria-label":t(`state.loading`),sx:{p:2},children:Array.from({length:e},(e,t)=>(0,C.jsx)(A,{variant:`rounded`,height:36},t))})}function M({error:e,onAgain:t,title:n}){let i=d(),a=m();return(0,C.jsxs)(C.Fragment,{children:[n!==void 0&&(0,C.jsx)(f,{title:i(n)}),(0,C.jsxs)(r,{severity:`error`,sx:{m:2},action:(0,C.jsx)(s,{color:`inherit`,onClick:t,children:i(`act.again`)}),children:[i(`state.failed`),` `,a(e)]})]})}export{j as n,M as t};