import{D as e}from"./isArrayLike-Cu-Yp5qu.js";import{Br as t,Cn as n,Dn as r,En as i,It as a,J as o,L as s,Lt as c,On as l,Qn as u,Rr as d,Sn as f,Tn as p,Vr as m,Wr as h,_n as g,bn as _,d as v,fn as y,gn as b,hn as x,l as S,mn as C,nn as w,wt as T,zt as E}from"./client-Bjzy4nlH.js";var D=C(),O=e(h(),1),k=d(),A=_(),j=D(`div`,{name:`MuiStack`,slot:`Root`});function M(e){return y({props:e,name:`MuiStack`,defaultTheme:A})}function N(e,t){let n=O.Children.toArray(e).filter(Boolean);return n.reduce((e,r,i)=>(e.push(r),i<n.length-1&&e.push(O.cloneElement(t,{key:`separator-${i}`})),e),[])}var P=e=>({row:`Left`,"row-reverse":`Right`,column:`Top`,"column-reverse":`Bottom`})[e],F=({ownerState:e,theme:t})=>{let a={display:`flex`,flexDirection:`column`,...p({theme:t},r({values:e.direction,breakpoints:t.breakpoints.values}),e=>({flexDirection:e}))};if(e.spacing){let i=f(t),o=Object.keys(t.breakpoints.values).reduce((t,n)=>((typeof e.spacing==`object`&&e.spacing[n]!=null||typeof e.direction==`object`&&e.direction[n]!=null)&&(t[n]=!0),t),{}),s=r({values:e.direction,base:o}),c=r({values:e.spacing,base:o});typeof s==`object`&&Object.keys(s).forEach((e,t,n)=>{if(!s[e]){let r=t>0?s[n[t-1]]:`column`;s[e]=r}}),a=l(a,p({theme:t},c,(t,r)=>e.useFlexGap?{gap:n(i,t)}:{"& > :not(style):not(style)":{margin:0},"& > :not(style) ~ :not(style)":{[`margin${P(r?s[r]:e.direction)}`]:n(i,t)}}))}return a=i(t.breakpoints,a),a};function I(e={}){let{createStyledComponent:t=j,useThemeProps:n=M,componentName:r=`MuiStack`}=e,i=()=>w({root:[`root`]},e=>b(r,e),{}),a=t(F);return O.forwardRef(function(e,t){let{component:r=`div`,direction:o=`column`,spacing:s=0,divider:c,children:l,className:u,useFlexGap:d=!1,...f}=n(e),p={direction:o,spacing:s,useFlexGap:d},m=i();return(0,k.jsx)(a,{as:r,ownerState:p,ref:t,className:g(m.root,u),...f,children:c?N(l,c):l})})}function L(e){return String(e).match(/[\d.\-+]*\s*(.*)/)[1]||``}function R(e){return parseFloat(e)}function z(e){return b(`MuiSkeleton`,e)}x(`MuiSkeleton`,[`root`,`text`,`rectangular`,`rounded`,`circular`,`pulse`,`wave`,`withChildren`,`fitContent`,`heightAuto`]);var B=e=>{let{classes:t,variant:n,animation:r,hasChildren:i,width:a,height:o}=e;return w({root:[`root`,n,r,i&&`withChildren`,i&&!a&&`fitContent`,i&&!o&&`heightAuto`]},z,t)},V=m`
  0% {
    opacity: 1;
  }

  50% {
    opacity: 0.4;
  }

  100% {
    opacity: 1;
  }
`,H=m`
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
`,U=typeof V==`string`?null:t`
        animation: ${V} 2s ease-in-out 0.5s infinite;
      `,W=typeof H==`string`?null:t`
        &::after {
          animation: ${H} 2s linear 0.5s infinite;
        }
      `,G=E(`span`,{name:`MuiSkeleton`,slot:`Root`,overridesResolver:(e,t)=>{let{ownerState:n}=e;return[t.root,t[n.variant],n.animation!==!1&&t[n.animation],n.hasChildren&&t.withChildren,n.hasChildren&&!n.width&&t.fitContent,n.hasChildren&&!n.height&&t.heightAuto]}})(c(({theme:e})=>{let t=L(e.shape.borderRadius)||`px`,n=R(e.shape.borderRadius),r=T(e,{animation:`none`}),i=T(e,{"&::after":{animation:`none`,display:`none`}});return{display:`block`,backgroundColor:e.vars?e.vars.palette.Skeleton.bg:e.alpha(e.palette.text.primary,e.palette.mode===`light`?.11:.13),height:`1.2em`,variants:[{props:{variant:`text`},style:{marginTop:0,marginBottom:0,height:`auto`,transformOrigin:`0 55%`,transform:`scale(1, 0.60)`,borderRadius:`${n}${t}/${Math.round(n/.6*10)/10}${t}`,"&:empty:before":{content:`"\\00a0"`}}},{props:{variant:`circular`},style:{borderRadius:`50%`}},{props:{variant:`rounded`},style:{borderRadius:(e.vars||e).shape.borderRadius}},{props:({ownerState:e})=>e.hasChildren,style:{"& > *":{visibility:`hidden`}}},{props:({ownerState:e})=>e.hasChildren&&!e.width,style:{maxWidth:`fit-content`}},{props:({ownerState:e})=>e.hasChildren&&!e.height,style:{height:`auto`}},{props:{animation:`pulse`},style:U||{animation:`${V} 2s ease-in-out 0.5s infinite`}},...r?[{props:{animation:`pulse`},style:r}]:[],{props:{animation:`wave`},style:{position:`relative`,overflow:`hidden`,WebkitMaskImage:`-webkit-radial-gradient(white, black)`,"&::after":{background:`linear-gradient(
                90deg,
                transparent,
                ${(e.vars||e).palette.action.hover},
                transparent
              )`,content:`""`,position:`absolute`,transform:`translateX(-100%)`,bottom:0,left:0,right:0,top:0}}},{props:{animation:`wave`},style:W||{"&::after":{animation:`${H} 2s linear 0.5s infinite`}}},...i?[{props:{animation:`wave`},style:i}]:[]]}})),K=O.forwardRef(function(e,t){let n=a({props:e,name:`MuiSkeleton`}),{animation:r=`pulse`,className:i,component:o=`span`,height:s,style:c,variant:l=`text`,width:u,...d}=n,f={...n,animation:r,component:o,variant:l,hasChildren:!!d.children},p=B(f);return(0,k.jsx)(G,{as:o,ref:t,className:g(p.root,i),ownerState:f,...d,style:{width:u,height:s,...c}})}),q=I({createStyledComponent:E(`div`,{name:`MuiStack`,slot:`Root`}),useThemeProps:e=>a({props:e,name:`MuiStack`})});function J({lines:e=6}){let t=u();return(0,k.jsx)(q,{spacing:1,role:`status`,"aria-label":t(`state.loading`),sx:{p:2},children:Array.from({length:e},(e,t)=>(0,k.jsx)(K,{variant:`rounded`,height:36},t))})}function Y({error:e,onAgain:t,title:n}){let r=u(),i=S();return(0,k.jsxs)(k.Fragment,{children:[n!==void 0&&(0,k.jsx)(v,{title:r(n)}),(0,k.jsxs)(o,{severity:`error`,sx:{m:2},action:(0,k.jsx)(s,{color:`inherit`,onClick:t,children:r(`act.again`)}),children:[r(`state.failed`),` `,i(e)]})]})}export{J as n,q as r,Y as t};